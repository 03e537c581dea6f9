export * from './budget.ts';
export type { AmountLimits, Amounts } from './budget-ledger.ts';
export type { Reservation } from './budget-reservation.ts';
export * from './language-model.ts';
export * from './memory-cache.ts';
export * from './provider/index.ts';
export {
  createRateLimit,
  type EnteredCall,
  type RateLimit,
  type RateLimitOptions,
} from './rate-limit.ts';
export type { RateDelay } from './rate-window.ts';
export * from './recording.ts';
export { requestKey } from './request-key.ts';
export { costOfUsage, type TokenPrice, type TokenPrices } from './token-price.ts';
export * from './usage.ts';
export * from './with-budget.ts';
export { withCache } from './with-cache.ts';
export * from './with-defaults.ts';
export * from './with-events.ts';
export * from './with-fallback.ts';
export { withRateLimit } from './with-rate-limit.ts';
export * from './with-recording.ts';
export { type RetryOptions, withRetry } from './with-retry.ts';
export { type ModelWrapping, modelName, wrapModel } from './wrap-model.ts';
