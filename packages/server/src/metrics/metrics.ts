/** Seconds: up to which a request counts where. */
const BOUNDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60] as const;

interface Durations {
  readonly buckets: number[];
  sum: number;
  count: number;
}

/** What the server has counted since it began, for Prometheus. Labels are routes and codes, never what a caller sent. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #durations = new Map<string, Durations>();
  readonly #outcomes = new Map<string, number>();

  /** A response began: `route` as `POST /v1/ask`. */
  request(route: string, status: number, ms: number): void {
    add(this.#requests, labels({ route, status: String(status) }));
    const key = labels({ route });
    const known = this.#durations.get(key) ?? { buckets: BOUNDS.map(() => 0), sum: 0, count: 0 };
    const seconds = ms / 1000;
    for (const [index, bound] of BOUNDS.entries())
      if (seconds <= bound) known.buckets[index] = (known.buckets[index] ?? 0) + 1;
    known.sum += seconds;
    known.count += 1;
    this.#durations.set(key, known);
  }

  /** A question ended. */
  outcome(type: string): void {
    add(this.#outcomes, labels({ type }));
  }

  /** The text format 0.0.4 of Prometheus. `gauges` are what holds now. */
  text(gauges: Readonly<Record<string, number>>): string {
    const lines = [
      ...series('askema_requests_total', 'counter', 'Requests by route and status.', this.#requests),
      ...series('askema_outcomes_total', 'counter', 'Questions by how they ended.', this.#outcomes),
      ...Object.entries(gauges).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]),
      '# HELP askema_request_duration_seconds Until the response began.',
      '# TYPE askema_request_duration_seconds histogram',
      ...[...this.#durations].flatMap(([key, durations]) => histogram(key, durations)),
    ];
    return `${lines.join('\n')}\n`;
  }
}

function histogram(key: string, { buckets, sum, count }: Durations): readonly string[] {
  const name = 'askema_request_duration_seconds';
  return [
    ...BOUNDS.map((bound, index) => `${name}_bucket{${key},le="${bound}"} ${buckets[index]}`),
    `${name}_bucket{${key},le="+Inf"} ${count}`,
    `${name}_sum{${key}} ${sum}`,
    `${name}_count{${key}} ${count}`,
  ];
}

function series(name: string, type: string, help: string, values: ReadonlyMap<string, number>): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...[...values].map(([key, value]) => `${name}{${key}} ${value}`),
  ];
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function labels(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '_')}"`)
    .join(',');
}
