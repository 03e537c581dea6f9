import { AskemaError, createCallContext, type EmbeddingModel } from '@askema/core';
import * as dialects from '@askema/dialects';
import { SpanKind } from '@opentelemetry/api';
import * as stable from '@opentelemetry/semantic-conventions';
import * as incubating from '@opentelemetry/semantic-conventions/incubating';
import { describe, expect, it } from 'vitest';
import { DATABASE_NAMES, ERROR_TYPE } from './names.ts';
import { CANARY, obligingModel } from './test-support/shop.ts';
import { telemetry, toldBy } from './test-support/telemetry.ts';

/** Systems that the conventions have no name for. */
const UNNAMED = ['duckdb', 'gcp.bigquery', 'snowflake'];

describe('2: names and attributes', () => {
  it('of what stands for a statement are in the package of the conventions, as stable', () => {
    expect(DATABASE_NAMES).toEqual({
      system: stable.ATTR_DB_SYSTEM_NAME,
      text: stable.ATTR_DB_QUERY_TEXT,
      summary: stable.ATTR_DB_QUERY_SUMMARY,
      statusCode: stable.ATTR_DB_RESPONSE_STATUS_CODE,
      duration: stable.METRIC_DB_CLIENT_OPERATION_DURATION,
    });
    expect(ERROR_TYPE).toBe(stable.ATTR_ERROR_TYPE);
  });

  it('of a system are those of the conventions, where they name it', () => {
    const known = new Set<unknown>(
      Object.entries(incubating).flatMap(([name, value]) => (name.startsWith('DB_SYSTEM_NAME_VALUE_') ? [value] : [])),
    );
    const names = Object.values(dialects).flatMap((dialect) =>
      typeof dialect === 'object' && 'displayName' in dialect ? [dialect.systemName ?? dialect.name] : [],
    );
    expect(names).toEqual(expect.arrayContaining(['postgresql', 'mysql', 'mariadb', 'sqlite', 'gcp.bigquery']));
    expect(new Set(names.filter((name) => !known.has(name)))).toEqual(new Set(UNNAMED));
  });

  it('of a stream say when its first part came, and of an answer at once nothing of that', async () => {
    using sdk = telemetry({ genAi: true });
    const request = { messages: [], sample: 0, context: createCallContext() };
    await sdk.tracing.model(obligingModel()).generate(request);
    for await (const _ of sdk.tracing.model(obligingModel()).stream?.(request) ?? []);
    const [whole, stream] = sdk.spans();
    expect(stream?.attributes).toEqual({
      ...whole?.attributes,
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
    });
    const first = Object.keys(await sdk.metrics()).filter((name) => name.includes('first_chunk'));
    expect(first).toEqual([
      'gen_ai.client.inference.time_to_first_chunk{gen_ai.operation.name=chat,gen_ai.provider.name=openai,gen_ai.request.model=gpt-test}',
    ]);
  });

  it('of embeddings tell how many and what they cost, and none of their texts', async () => {
    using sdk = telemetry({ genAi: true, prices: { small: { input: 10, output: 0 } }, content: { messages: true } });
    const inner: EmbeddingModel = {
      provider: 'openai',
      modelId: 'small',
      embed: async (texts) =>
        texts.includes('')
          ? Promise.reject(new AskemaError('MODEL_CONTEXT_TOO_LONG', CANARY.row))
          : { vectors: texts.map(() => new Float32Array(8)), usage: { inputTokens: 50, outputTokens: 0 } },
    };
    const model = sdk.tracing.embeddings(inner);
    await model.embed([CANARY.row, 'b'], createCallContext());
    await expect(model.embed([''], createCallContext())).rejects.toThrow(CANARY.row);
    expect(sdk.spans()[0]).toMatchObject({
      name: 'embeddings small',
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.request.model': 'small',
        'gen_ai.embeddings.dimension.count': 8,
        'gen_ai.usage.input_tokens': 50,
        'askema.model.texts': 2,
      },
    });
    expect(sdk.spans()[1]?.attributes).toMatchObject({ 'error.type': 'MODEL_CONTEXT_TOO_LONG' });
    expect(toldBy(sdk.spans())).not.toContain('canary');
    const labels = 'gen_ai.operation.name=embeddings,gen_ai.provider.name=openai,gen_ai.request.model=small';
    expect(await sdk.metrics()).toMatchObject({
      [`askema.model.cost{${labels}}`]: 0.0005,
      [`gen_ai.client.embeddings.duration{${labels}}`]: expect.any(Number),
      [`gen_ai.client.embeddings.duration{error.type=MODEL_CONTEXT_TOO_LONG,${labels}}`]: expect.any(Number),
    });
  });
});
