export * from './call-deadline.ts';
export * from './connection-failure.ts';
export * from './failure-rule.ts';
export * from './load-peer.ts';
export * from './merge-body.ts';
export * from './model-failure.ts';
export * from './model-traits.ts';
export * from './retry-after.ts';
