// The two ways an answer is of no use before anything of it is looked at.

/** An answer with another status than 2xx. The library's own error loses a body without an "error" key. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: string,
  ) {
    super(`HTTP ${status}`);
  }
}

/** An answer longer than its vectors can be. */
export class AnswerTooLong extends Error {}
