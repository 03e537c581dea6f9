/**
 * What a bench is: plain values that a file of `bench/` exports as `bench`, and hands to `main`. Children import the
 * same file, so that each contender is measured at each size in a process of its own.
 */

/** One way of doing the work, of ours or of a peer. */
export interface Contender {
  /** Stands in the tables. */
  readonly name: string;
  /** Ours: what is slower than the peer, or grows worse than n log n, is marked. */
  readonly own?: boolean | undefined;
  /** Left out with `--quick`. */
  readonly slow?: boolean | undefined;
  /** Larger sizes are not tried, for the reason given. */
  readonly most?: { readonly size: number; readonly why: string } | undefined;
  /** Sets the work of one size up, which is not timed. Imports peers here, so that others do not pay for them. */
  readonly prepare: (size: number) => Work | Absent | Promise<Work | Absent>;
}

/** The work of one size, set up. */
export interface Work {
  /**
   * Does the work once. What it returns is held while the memory that stays is measured. It must do all of it, however
   * often it ran before.
   */
  readonly run: () => unknown;
  /**
   * Further columns of the row, asked once after the last run with the median time of a run: throughput, recall, bytes
   * on disk.
   */
  readonly figures?: ((medianMs: number) => Figures | Promise<Figures>) | undefined;
  /** Removes what `prepare` made. */
  readonly close?: (() => unknown) | undefined;
}

/** The work cannot be done here: a package or a program that is not installed, for example. The row says so. */
export interface Absent {
  readonly absent: string;
}

/** Columns beyond time and memory: a name with its unit, and a value. */
export type Figures = Readonly<Record<string, number | string>>;

/** The same work by all contenders at all sizes; becomes one table. */
export interface Comparison {
  readonly kind: 'comparison';
  /** Unique in its bench. */
  readonly id: string;
  readonly title: string;
  /** What the work is, in Markdown; stands above the table. */
  readonly about?: string | undefined;
  /** What a size counts (`steps`), the sizes, and those of `--quick`. */
  readonly size: { readonly name: string; readonly values: readonly number[]; readonly quick: readonly number[] };
  readonly contenders: readonly Contender[];
  /** The name of the contender to whom the ratios are. */
  readonly peer: string;
  /** Adds a column of microseconds per unit of size; default: false. */
  readonly perUnit?: boolean | undefined;
  /** Whether time is expected to grow with size; without it no exponent is told. Default: true. */
  readonly grows?: boolean | undefined;
  /** False where the work is done by other processes, whose memory is not seen here. Default: true. */
  readonly memory?: boolean | undefined;
  /** The most that one contender may take at one size, in seconds. Default: 90. */
  readonly seconds?: number | undefined;
}

/** A part that measures by itself what is no repeated work of growing size; becomes one table as it stands. */
export interface Measurement {
  readonly kind: 'measurement';
  readonly id: string;
  readonly title: string;
  readonly about?: string | undefined;
  readonly measure: (options: { readonly quick: boolean }) => Promise<Table>;
}

/** Numbers are shown with at most three significant digits below 1,000; give text where that is wrong. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | string)[])[];
  /**
   * What of ours is slower than a peer or grows worse than n log n, a sentence each; comparisons find theirs by
   * themselves.
   */
  readonly remarks?: readonly string[] | undefined;
}

/** What runs beside a bench. */
export interface Started {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

export interface Bench {
  /** The name of the command, and of the file of results. */
  readonly id: string;
  readonly title: string;
  /** What is compared, in Markdown. */
  readonly about: string;
  /** Packages of npm whose versions are told. */
  readonly peers: readonly string[];
  /** Starts what all parts need, a server for example; its environment is that of the children as well. */
  readonly start?: ((options: { readonly quick: boolean }) => Promise<Started | Absent>) | undefined;
  /** Names and versions of what else takes part: a server, for example. */
  readonly versions?: (() => Figures | Promise<Figures>) | undefined;
  readonly parts: readonly (Comparison | Measurement)[];
  /** What the figures mean, and why something of ours is slower or grows faster; Markdown, one paragraph each. */
  readonly notes: readonly string[];
}
