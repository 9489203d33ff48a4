// The protocol side of a session: MCP's framing from the SDK, plus the handshake. On the SDK's Protocol instead of
// its Server, which brings a JSON Schema validator for requests that kb-mcp never makes (a quarter of the time to
// the answer of initialize), and instead of McpServer, which cannot advertise a plain JSON Schema as it is.
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  InitializedNotificationSchema,
  InitializeRequestSchema,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import type {
  InitializeResult,
  ServerNotification,
  ServerRequest,
  ServerResult,
} from "@modelcontextprotocol/sdk/types.js";
import { route } from "./request-router.js";

/** Answers and notifies, and never asks the client for anything: there is nothing to assert about the client. */
export class ServerProtocol extends Protocol<ServerRequest, ServerNotification, ServerResult> {
  #initialized = false;

  constructor() {
    super();
    this.setNotificationHandler(InitializedNotificationSchema, () => {
      this.#initialized = true;
    });
  }

  /** Whether the client has ended the handshake. Until then MCP allows no notification of the server's own. */
  get isInitialized(): boolean {
    return this.#initialized;
  }

  protected override assertCapabilityForMethod(): void {
    // No request is ever made.
  }
  protected override assertNotificationCapability(): void {
    // Progress is always allowed.
  }
  protected override assertRequestHandlerCapability(): void {
    // Requests go through the router.
  }
  protected override assertTaskCapability(): void {
    // No request is ever made.
  }
  protected override assertTaskHandlerCapability(): void {
    // A server without tasks answers a request for one in the ordinary way.
  }
}

/** What the server says of itself. */
type Handshake = Pick<InitializeResult, "serverInfo" | "capabilities" | "instructions">;

/** The handshake: the client's protocol version if the SDK speaks it, else the newest one. */
export function handshakeRoute(self: Handshake) {
  return {
    initialize: route(InitializeRequestSchema, ({ params: { protocolVersion } }) => ({
      protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
        ? protocolVersion
        : LATEST_PROTOCOL_VERSION,
      ...self,
    })),
  };
}
