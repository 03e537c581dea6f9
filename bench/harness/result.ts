import type { Figures, Table } from './bench.ts';

/** What `bench/results/<id>.json` holds: all that the page is made of. */
export interface BenchResult {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly command: string;
  /** ISO 8601. */
  readonly measuredAt: string;
  readonly quick: boolean;
  readonly seconds: number;
  readonly machine: Machine;
  readonly versions: Figures;
  readonly parts: readonly (ComparisonResult | TableResult)[];
  readonly notes: readonly string[];
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /**
   * Processes that wanted a core in the minute before the start and before the end; above 0 at the start, others worked
   * too.
   */
  readonly load: readonly [number, number];
}

export interface ComparisonResult {
  readonly kind: 'comparison';
  readonly id: string;
  readonly title: string;
  readonly about?: string | undefined;
  readonly sizeName: string;
  readonly peer: string;
  readonly perUnit: boolean;
  readonly grows: boolean;
  /** Whether memory is told. */
  readonly memory?: boolean | undefined;
  readonly rows: readonly ComparisonRow[];
}

/** One contender at one size: measured, or the reason why not. */
export interface ComparisonRow {
  readonly contender: string;
  readonly own: boolean;
  readonly size: number;
  readonly absent?: string | undefined;
  readonly measured?: Measured | undefined;
}

export interface Measured {
  /** Timed runs, after the warm-up. */
  readonly runs: number;
  readonly medianMs: number;
  /** The quarter of the runs that was fastest took no longer; three quarters took no longer. */
  readonly quartilesMs: readonly [number, number];
  /** How far the process grew in the first run of this size beyond what it had, in bytes. */
  readonly peakBytes: number;
  /** What stays on the heap and in array buffers while the result of one run is held, after a collection. */
  readonly keptBytes: number;
  readonly figures: Figures;
}

export interface TableResult extends Table {
  readonly kind: 'table';
  readonly id: string;
  readonly title: string;
  readonly about?: string | undefined;
}
