export { planFindings } from './plan-findings.ts';
export type { RunTestPlanOptions } from './run-options.ts';
export { runTestPlan } from './run-test-plan.ts';
