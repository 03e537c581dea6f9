export * from './column-profile.ts';
export * from './exploration-limits.ts';
export * from './explorer.ts';
export { afterEvent, correctionsFor, finishRun, nextAction, type ProbeRules } from './next-action.ts';
export * from './probe-run.ts';
export { SOURCE_PROBE } from './profile-statement.ts';
export type { ReadyProbeOptions } from './ready-probes.ts';
export * from './run-probes.ts';
