// What one client wants to hear of: subscriptions to resources, and the notifications about them. What changed is
// core's to say.
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import { KbError, limits } from "../../core/index.js";
import type { KnowledgeBase } from "../../core/index.js";
import type { Logger } from "../../core/plugin-api.js";
import { encodeReserved } from "./resources.js";
import { route } from "./request-router.js";

export interface Subscriptions {
  readonly routes: ReturnType<typeof subscriptionRoutes>;
  /** Ends all of them. */
  close(): void;
}

/**
 * The subscriptions of one session.
 * @param isReady whether the client has ended the handshake; before, it has no list that could have changed
 * @param send to the client; what it cannot deliver is dropped
 */
export function createSubscriptions(
  kb: KnowledgeBase,
  isReady: () => boolean,
  send: (notification: ServerNotification) => Promise<void>,
  logger: Logger,
): Subscriptions {
  /** Canonical URIs by the URI the client used, in which it is told of changes. */
  const subscribed = new Map<string, string>();
  const notify = (notification: ServerNotification): void => {
    send(notification).catch((error: unknown) => {
      logger.debug(`${notification.method} not sent: ${String(error)}`);
    });
  };
  const stop = kb.onResourceChange(({ updated, listChanged }) => {
    if (listChanged && isReady()) notify({ method: "notifications/resources/list_changed" });
    for (const [uri, canonical] of subscribed)
      if (updated.has(canonical)) notify({ method: "notifications/resources/updated", params: { uri } });
  });
  return {
    routes: subscriptionRoutes(kb, subscribed),
    close() {
      stop();
      subscribed.clear();
    },
  };
}

function subscriptionRoutes(kb: KnowledgeBase, subscribed: Map<string, string>) {
  return {
    "resources/subscribe": route(SubscribeRequestSchema, async ({ params: { uri } }) => {
      // As for a read: what is not offered cannot be subscribed to.
      const canonical = await kb.canonicalUri(encodeReserved(uri));
      if (!subscribed.has(uri) && subscribed.size >= limits.subscriptions)
        throw new KbError("KB_REQUEST_INVALID", `There are ${limits.subscriptions} subscriptions already`, {
          hint: "Unsubscribe from resources that are no longer needed.",
        });
      subscribed.set(uri, canonical);
      return {};
    }),
    // Its document may be gone by now: whatever was never subscribed to is no error.
    "resources/unsubscribe": route(UnsubscribeRequestSchema, ({ params: { uri } }) => {
      subscribed.delete(uri);
      return {};
    }),
  };
}
