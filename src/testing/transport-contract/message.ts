// The messages and connections that the suite works with, by their shape: transports of the MCP SDK fit, and the SDK
// is not needed.

/** A JSON-RPC message. */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null | undefined;
  readonly method?: string | undefined;
  readonly params?: { readonly [key: string]: unknown } | undefined;
  readonly result?: { readonly [key: string]: unknown } | undefined;
  readonly error?: { readonly code: number; readonly message: string } | undefined;
}

/** One end of a connection, as the MCP SDK has it: the client's, or the one that a session is connected to. */
export interface ConnectionEnd {
  start(): Promise<void>;
  /** `relatedRequestId` names the request that a notification is about. */
  send(message: JsonRpcMessage, options?: { readonly relatedRequestId?: string | number }): Promise<void>;
  close(): Promise<void>;
  onmessage?(message: JsonRpcMessage): void;
  onclose?(): void;
  onerror?(error: Error): void;
  setProtocolVersion?(version: string): void;
}
