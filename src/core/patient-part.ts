// The making of a plugin's part for those who wait: it is there soon or not at all. Knows no kind of part.
import type { Lazy } from "./lazy.js";
import { within } from "./patience.js";
import { createRest, usualRestMs } from "./rest.js";

export interface PatientPart<Part> {
  /**
   * @param patienceMs for a caller who waits less than others; its impatience is nobody else's
   * @throws what making the part failed with; KbError KB_CANCELLED when kb-mcp is closed
   */
  get(patienceMs?: number): Promise<Part>;
  /** Forgets a failure. */
  recover(): void;
}

export interface Patience {
  /** Milliseconds that the making may take. */
  readonly patienceMs: number;
  /** Milliseconds in which a failure is not tried again. */
  readonly restMs?: number;
  /** Whether only lateness rests: for a part whose failure something else may mend at any time. */
  readonly restsOnlyLate?: boolean;
  /** Aborted when nobody waits any more. */
  readonly closing?: AbortSignal | undefined;
}

/** @param late the error that says that the part was not there within so many seconds */
export function createPatientPart<Part>(
  part: Pick<Lazy<Part>, "get">,
  late: (seconds: number) => Error,
  { patienceMs: usual, restMs = usualRestMs, restsOnlyLate = false, closing }: Patience,
): PatientPart<Part> {
  const rest = createRest(restMs);
  return {
    async get(patienceMs = usual) {
      rest.refuse();
      const making = part.get();
      const tooLate = late(Math.ceil(patienceMs / 1000));
      try {
        return await within(making, patienceMs, () => tooLate, closing);
      } catch (error) {
        const rests = error === tooLate ? patienceMs >= usual : !restsOnlyLate;
        if (rests && closing?.aborted !== true) rest.begin(error);
        // What was only late ends the rest itself.
        making.then(() => rest.end()).catch(() => undefined);
        throw error;
      }
    },
    recover: () => rest.end(),
  };
}
