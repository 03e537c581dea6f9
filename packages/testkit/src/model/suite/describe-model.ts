import type { JsonValue } from '@askema/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WireProtocol } from '../loopback/index.ts';
import { type LoopbackModelServer, loopbackModelServer } from '../loopback/loopback-model-server.ts';
import { ANSWER_CASES } from './answer-cases.ts';
import { FAILURE_CASES } from './failure-cases.ts';
import { BENCH_KEY, type ModelBench, type ModelCase, type ModelFactory } from './model-bench.ts';
import { STREAM_CASES } from './stream-cases.ts';
import { TOOL_CASES } from './tool-cases.ts';

const CASES = { ...ANSWER_CASES, ...TOOL_CASES, ...STREAM_CASES, ...FAILURE_CASES };

/** The cases of the suite. */
export type ModelCaseId = keyof typeof CASES;

export interface DescribeModelOptions {
  /** What the model cannot do, and why. A case named here that passes fails the suite. */
  readonly expectedFailures?: Partial<Record<ModelCaseId, string>> | undefined;
  /** Validates every body that the model sent against the vendor's schema; returns what is wrong with it. */
  readonly checkBody?: ((body: JsonValue, protocol: WireProtocol) => readonly string[]) | undefined;
}

/**
 * The conformance suite of model providers, for a vitest file. Each case starts a loopback server that speaks the
 * protocol of the request (OpenAI's chat completions and responses, Anthropic's messages, Gemini's `generateContent`)
 * and plays what real servers do: answers, streams, tool calls, refusals, and failures from a storm of 429 to half a stream.
 */
export function describeModel(name: string, factory: ModelFactory, options: DescribeModelOptions = {}): void {
  describe(`model: ${name}`, () => {
    let server: LoopbackModelServer;
    beforeEach(async () => {
      server = await loopbackModelServer();
    });
    afterEach(() => server.close());

    test.each(Object.entries<ModelCase>(CASES))('%s', async (id, run) => {
      const reason = options.expectedFailures?.[id as ModelCaseId];
      await mayFail(id, reason, async () => {
        await run(benchOf(server, factory));
        for (const { body, protocol } of server.requests) expect(options.checkBody?.(body, protocol) ?? []).toEqual([]);
      });
    });
  });
}

function benchOf(server: LoopbackModelServer, factory: ModelFactory): ModelBench {
  const create: ModelBench['create'] = (overrides) =>
    factory({ origin: server.origin, apiKey: BENCH_KEY, timeoutMs: 10_000, ...overrides });
  return { server, create, model: create() };
}

/** Runs a case. One that is expected to fail must fail. */
export async function mayFail(id: string, reason: string | undefined, run: () => Promise<void>): Promise<void> {
  if (reason === undefined) return run();
  const failed = await run().then(
    () => false,
    () => true,
  );
  if (failed) return;
  throw new Error(`The case "${id}" passes, though it was expected to fail: ${reason}. Take it off the list.`);
}
