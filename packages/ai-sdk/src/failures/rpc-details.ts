/** What Google says beside the sentence of an error. */
interface RpcDetails {
  /** Codes that are more exact than the status: `API_KEY_INVALID`. */
  readonly reasons: readonly string[];
  /** Seconds to wait. */
  readonly retryAfter: string | undefined;
}

/** Reads `details` of an error, whatever it is (`ErrorInfo` and `RetryInfo` of https://google.aip.dev/193). */
export function rpcDetails(details: unknown): RpcDetails {
  const entries: readonly unknown[] = Array.isArray(details) ? details : [];
  const values = (name: 'reason' | 'retryDelay') =>
    entries
      .map((entry) => (entry as Readonly<Record<string, unknown>> | null | undefined)?.[name])
      .filter((value) => typeof value === 'string');
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(values('retryDelay')[0] ?? '') ?? [];
  return { reasons: values('reason'), retryAfter: seconds };
}
