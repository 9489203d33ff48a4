// Whether an address that a server binds to is reachable from this machine only.
import { isIPv4 } from "node:net";

/**
 * Knows `localhost`, 127.0.0.0/8 and `::1`, each with an optional port. Every other spelling, such as `127.1`, is
 * taken as reachable from elsewhere: a wrong "no" costs a warning, a wrong "yes" opens the machine.
 */
export function isLoopbackBind(bind: unknown): boolean {
  if (typeof bind !== "string") return false;
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/.exec(bind) ?? [];
  if (bracketed !== undefined) return bracketed === "::1";
  if (plain === undefined) return bind === "::1";
  return plain === "localhost" || (isIPv4(plain) && plain.startsWith("127."));
}
