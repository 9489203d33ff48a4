// The one word that the two sides of the shield share.

/**
 * Environment variable that holds the number of the protocol's output descriptor. The underscore in front keeps it
 * out of the names that users configure kb-mcp with.
 */
export const protocolDescriptorVariable = "_KB_MCP_PROTOCOL_FD";
