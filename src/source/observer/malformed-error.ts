// The error for input that an observer does not send, or that an archive does not store in this form.

/** The message completes "line 7: …". */
export class MalformedError extends Error {}
