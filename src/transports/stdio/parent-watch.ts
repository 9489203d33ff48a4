// The child side of the shield: notices that the parent is gone, however it went.

/**
 * Resolves when the process that shields this one is gone; never without a shield. The channel to the parent does
 * not keep this process alive.
 */
export function whenParentGone(): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) return;
    if (!process.connected) {
      resolve();
      return;
    }
    process.once("disconnect", resolve);
    process.channel?.unref();
  });
}
