import type { ModelResult, StreamEvent } from '@askema/core';

/**
 * A whole result as the events of a stream: deltas of at most `chunkLength` characters (whole code points) for text and
 * reasoning, each part once it is complete, and `finish` last.
 */
export function* streamResult(result: ModelResult, chunkLength = 8): Generator<StreamEvent> {
  for (const part of result.content) {
    if (part.type === 'text' || part.type === 'reasoning')
      for (const text of chunksOf(part.text, chunkLength)) yield { type: `${part.type}-delta`, text };
    yield { type: 'part', part };
  }
  yield { type: 'finish', result };
}

function* chunksOf(text: string, chunkLength: number): Generator<string> {
  const codePoints = Array.from(text);
  for (let start = 0; start < codePoints.length; start += chunkLength)
    yield codePoints.slice(start, start + chunkLength).join('');
}
