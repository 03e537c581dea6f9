import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AmountLimits, type Amounts, createLedger } from './budget-ledger.ts';

const small = fc.integer({ min: 0, max: 20 });
const cents = small.map((value) => value / 100);
const amounts: fc.Arbitrary<Amounts> = fc.record({
  calls: fc.constantFrom(0, 1, 2),
  inputTokens: small,
  outputTokens: small,
  costUsd: cents,
});
const limit = fc.option(fc.integer({ min: 0, max: 80 }), { nil: undefined });
const limits: fc.Arbitrary<AmountLimits> = fc.record({
  maxCalls: fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }),
  maxInputTokens: limit,
  maxOutputTokens: limit,
  maxTokens: limit,
  maxCostUsd: limit.map((value) => value && value / 100),
});
/**
 * Hold something, or settle the open hold with this number (modulo how many there are) with a share of what it holds.
 */
const step = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), amounts }),
  fc.record({
    kind: fc.constant('settle' as const),
    which: fc.nat(20),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

const share = (held: Amounts, part: number): Amounts => ({
  calls: held.calls,
  inputTokens: Math.floor(held.inputTokens * part),
  outputTokens: Math.floor(held.outputTokens * part),
  costUsd: held.costUsd * part,
});

test('in no order of holding and settling is more spent than allowed', () => {
  fc.assert(
    fc.property(limits, fc.array(step, { maxLength: 60 }), (allowed, steps) => {
      const ledger = createLedger(allowed);
      const open: { held: Amounts; settle: (actual: Amounts) => void }[] = [];
      const check = () => {
        const spent = ledger.spent();
        const almost = 1 + 1e-8;
        expect(spent.calls).toBeLessThanOrEqual(allowed.maxCalls ?? Infinity);
        expect(spent.inputTokens).toBeLessThanOrEqual(allowed.maxInputTokens ?? Infinity);
        expect(spent.outputTokens).toBeLessThanOrEqual(allowed.maxOutputTokens ?? Infinity);
        expect(spent.inputTokens + spent.outputTokens).toBeLessThanOrEqual(allowed.maxTokens ?? Infinity);
        expect(spent.costUsd).toBeLessThanOrEqual((allowed.maxCostUsd ?? Infinity) * almost);
      };
      for (const item of steps) {
        if (item.kind === 'hold') {
          const held = ledger.hold(item.amounts);
          if ('settle' in held) open.push({ held: item.amounts, settle: held.settle });
        } else if (open.length > 0) {
          const [chosen] = open.splice(item.which % open.length, 1);
          chosen!.settle(share(chosen!.held, item.share));
        }
        check();
      }
      for (const rest of open) rest.settle(rest.held);
      check();
    }),
    { numRuns: 300 },
  );
});

test('what is not used can be held again, down to the last bit', () => {
  const ledger = createLedger({ maxTokens: 100 });
  const call = { calls: 1, inputTokens: 60, outputTokens: 40, costUsd: 0 };
  const first = ledger.hold(call);
  expect('breach' in ledger.hold({ ...call, inputTokens: 1, outputTokens: 0 })).toBe(true);
  if ('settle' in first) first.settle({ ...call, inputTokens: 10, outputTokens: 0 });
  expect('settle' in ledger.hold({ ...call, inputTokens: 50 })).toBe(true);
});

test('a hold counts once, however often it is settled', () => {
  const ledger = createLedger({});
  const held = ledger.hold({ calls: 1, inputTokens: 5, outputTokens: 5, costUsd: 1 });
  for (let round = 0; round < 3; round++)
    if ('settle' in held) held.settle({ calls: 1, inputTokens: 1, outputTokens: 1, costUsd: 1 });
  expect(ledger.spent()).toEqual({ calls: 1, inputTokens: 1, outputTokens: 1, costUsd: 1 });
});

test('three dimes fit into thirty cents, though their sum as numbers is a little more', () => {
  const ledger = createLedger({ maxCostUsd: 0.3 });
  const dime = { calls: 1, inputTokens: 0, outputTokens: 0, costUsd: 0.1 };
  const held = Array.from({ length: 4 }, () => ledger.hold(dime));
  expect(held.map((hold) => 'settle' in hold)).toEqual([true, true, true, false]);
});

test('a breach says which limit, and what stands against it', () => {
  const ledger = createLedger({ maxInputTokens: 100, maxTokens: 100 });
  const first = ledger.hold({ calls: 1, inputTokens: 30, outputTokens: 0, costUsd: 0 });
  if ('settle' in first) first.settle({ calls: 1, inputTokens: 20, outputTokens: 0, costUsd: 0 });
  ledger.hold({ calls: 1, inputTokens: 30, outputTokens: 10, costUsd: 0 });
  expect(ledger.hold({ calls: 1, inputTokens: 40, outputTokens: 1, costUsd: 0 })).toEqual({
    breach: { limit: 'maxTokens', max: 100, spent: 20, reserved: 40, needed: 41 },
  });
});
