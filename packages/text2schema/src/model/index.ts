export * from './conceptual-model.ts';
export * from './design-outcome.ts';
export * from './logical-design.ts';
export * from './requirement-test.ts';
export * from './role-id.ts';
export * from './test-plan.ts';
