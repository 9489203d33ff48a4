// The one word that the two sides of the shield share.

/** Environment variable that holds the number of the protocol's output descriptor. */
export const protocolDescriptorVariable = "KB_MCP_PROTOCOL_FD";
