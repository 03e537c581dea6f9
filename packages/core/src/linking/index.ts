export type { ProbeValuesOptions } from './probe-values.ts';
export { probeValues } from './probe-values.ts';
