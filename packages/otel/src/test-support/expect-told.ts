import type { Usage } from '@askema/core';
import { expect } from 'vitest';
import { type Telemetry, toldBy } from './telemetry.ts';

const TOKENS = {
  inputTokens: 'askema.model.usage.input_tokens',
  outputTokens: 'askema.model.usage.output_tokens',
  cachedInputTokens: 'askema.model.usage.cache_read.input_tokens',
} as const;

/** Nothing that was asked, written or stored stands in spans or metrics. */
export async function expectQuiet({ spans, metrics }: Telemetry): Promise<void> {
  const canaries = /canary|4711|as asked/;
  expect(toldBy(spans())).not.toMatch(canaries);
  expect(JSON.stringify(await metrics())).not.toMatch(canaries);
}

/** The tokens of all spans, and of the metrics, are those that the answer says it used. */
export async function expectSpent({ spans, metrics }: Telemetry, usage: Usage): Promise<void> {
  expect(usage.inputTokens).toBeGreaterThan(0);
  for (const [field, name] of Object.entries(TOKENS)) {
    const told = spans().reduce((sum, { attributes }) => sum + Number(attributes[name] ?? 0), 0);
    expect([name, told]).toEqual([name, usage[field as keyof typeof TOKENS]]);
  }
  const sums = Object.entries(await metrics());
  for (const [type, tokens] of [
    ['input', usage.inputTokens],
    ['output', usage.outputTokens],
  ])
    expect(sums.filter(([name]) => name.includes(`token.type=${type}`)).map(([, sum]) => sum)).toEqual([tokens]);
}
