/** One thing that `check:structure` objects to. */
export interface Breach {
  readonly rule: 'circle' | 'floor' | 'path' | 'unused';
  /** `packages/core`, `examples`, or `.` for what stands at the root. */
  readonly package: string;
  /** What it is, where, and what to do. */
  readonly message: string;
}
