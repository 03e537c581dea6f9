export { checkProbe } from './check-probe.ts';
export * from './column-profile.ts';
export { cutBytes } from './cut-bytes.ts';
export * from './exploration-limits.ts';
export * from './explorer.ts';
export { findNameFix, mentionsName, replaceName } from './name-fix.ts';
export {
  afterEvent,
  correctionsFor,
  finishRun,
  nextAction,
  type ProbeRules,
  probeRules,
} from './next-action.ts';
export { probeFailure } from './probe-failure.ts';
export * from './probe-run.ts';
export { SOURCE_PROBE } from './profile-statement.ts';
export type { ReadyProbeOptions } from './ready-probes.ts';
export * from './run-probes.ts';
