import { describe, expect, it } from 'vitest';
import { inspectPlan } from './inspect-options.ts';

describe('inspectPlan', () => {
  it.each([
    [{ stages: { retreiver: true } }, /no `retreiver`.*retriever/],
    [{ stages: { detector: 1 } }, /is 1; it must be true or false/],
    [{ stages: { engineErrors: true } }, /detector: false/],
    [{ limits: { maxInspection: 1 } }, /maxInspections/],
    [{ limits: { maxInspections: -1 } }, /-1; it must be a whole number from 0/],
    [{ actions: 'native' }, /"native"; it must be 'auto', 'tools' or 'structured'/],
    [{ severities: { 'join-of-key': 'off' } }, /join-off-key/],
    [{ severities: { 'join-off-key': 'loud' } }, /loud/],
    [{ rules: [{}] }, /inspect\.rules\[0\]/],
    [{ models: { review: {} } }, /no `review`/],
    [{ stage: {} }, /no `stage`.*stages/],
  ])('refuses %j', (options, message) => {
    expect(() => inspectPlan(options as never)).toThrow(message);
  });
});
