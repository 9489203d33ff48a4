// Routes requests to handlers, and turns what goes wrong into JSON-RPC errors. It validates requests itself:
// the SDK's own way answers a malformed request with an internal error and a dump of the validator.
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type {
  JSONRPCRequest,
  ServerNotification,
  ServerRequest,
  ServerResult,
} from "@modelcontextprotocol/sdk/types.js";
import { KbError } from "../../core/index.js";
import type { ErrorCode } from "../../core/index.js";
import type { Logger } from "../../core/plugin-api.js";
import { describeFailure } from "./failure.js";

export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Codes of JSON-RPC and of MCP. */
const rpcCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
} as const;

/** An error that a client sees as it is. Not the SDK's McpError, which writes the number into the message too. */
class RpcError extends Error {
  /**
   * @param code of JSON-RPC or MCP
   * @param data goes to the client with the message
   */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** The part of a zod schema that is used here. */
interface RequestSchema<Request> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: Request }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

type Route = (request: JSONRPCRequest, extra: RequestExtra) => Promise<ServerResult>;

/** A handler that sees only requests its schema accepts. */
export function route<Request>(
  schema: RequestSchema<Request>,
  handle: (request: Request, extra: RequestExtra) => ServerResult | Promise<ServerResult>,
): Route {
  return async (request, extra) => {
    const parsed = schema.safeParse(request);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const where = issue?.path.map(String).join(".") ?? "params";
      throw new KbError(
        "KB_REQUEST_INVALID",
        `Invalid ${request.method} request: ${where}: ${issue?.message ?? ""}`,
      );
    }
    return handle(parsed.data, extra);
  };
}

/** Core's codes that mean: there is no such resource. */
const notFound: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "KB_READ_NOT_FOUND",
  "KB_READ_NOT_SERVABLE",
  "KB_STORE_EMPTY",
]);

/** The first parts of core's codes that mean: the request asks for something it should not. */
const callersFault = /^KB_(?:READ|PROMPT|REQUEST)_/u;

/** The handler of every method, with errors in the form of JSON-RPC. */
export function createRouter(routes: Readonly<Record<string, Route>>, logger: Logger): Route {
  return async (request, extra) => {
    const handle = Object.hasOwn(routes, request.method) ? routes[request.method] : undefined;
    if (handle === undefined)
      throw new RpcError(rpcCodes.methodNotFound, "Method not found", { code: "KB_REQUEST_METHOD" });
    try {
      return await handle(request, extra);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      const { code, message, hint } = describeFailure(error, request.method, logger);
      const rpcCode = notFound.has(code)
        ? rpcCodes.resourceNotFound
        : callersFault.test(code)
          ? rpcCodes.invalidParams
          : rpcCodes.internalError;
      const uri = request.params?.["uri"];
      throw new RpcError(rpcCode, `${message}. ${hint}`, {
        code,
        hint,
        ...(typeof uri === "string" && { uri }),
      });
    }
  };
}
