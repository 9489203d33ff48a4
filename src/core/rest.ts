// A failure that stands for a while, so that what just failed is not tried again with every request.

/** Long enough that what is down costs few requests a wait, short enough to notice soon that it is back. */
export const usualRestMs = 30_000;

export interface Rest {
  begin(error: unknown): void;
  end(): void;
  /** @throws the failure, while it stands */
  refuse(): void;
}

/** @param restMs milliseconds that a failure stands */
export function createRest(restMs: number): Rest {
  let failure: { readonly error: unknown; readonly until: number } | undefined;
  return {
    begin: (error) => {
      failure = { error, until: performance.now() + restMs };
    },
    end: () => {
      failure = undefined;
    },
    refuse() {
      if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    },
  };
}
