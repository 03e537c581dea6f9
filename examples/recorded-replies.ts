/**
 * A model whose replies were recorded, for examples that run without a key. Each reply stands in the file with the
 * prompt that it was given to. Where a prompt has changed since, the reply to the same task is said again, and `finish`
 * says that it did. `ASKEMA_RECORD=1` asks a real model for what has changed:
 *
 * ```sh
 * ASKEMA_RECORD=1 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=qwen3 \
 *   node --conditions=@askema/source examples/08-design-a-database.ts
 * ```
 *
 * After a break, recording goes on where it stopped. To record all of it again, delete the file first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  isAskemaError,
  type LanguageModel,
  type ModelRequest,
  type ModelResult,
  requestKey,
  withRecording,
} from '@askema/core';
import { jsonlRecordings } from '@askema/core/node';
import { openai } from '@askema/openai';

/**
 * What the recordings are under, whoever answered: outcomes say `recorded:replies`, not the name of a model that was
 * not asked.
 */
const NAME = { provider: 'recorded', modelId: 'replies', capabilities: { structuredOutput: true } } as const;

export interface RecordedReplies {
  readonly model: LanguageModel;
  /**
   * When all went well: says how many prompts have changed; after a recording, drops replies that nothing asks for any
   * more.
   */
  finish(): void;
}

export function recordedReplies(file: string): RecordedReplies {
  const isRecording = process.env.ASKEMA_RECORD === '1';
  const store = jsonlRecordings({ file });
  const live: LanguageModel = {
    ...openai({ model: process.env.OPENAI_MODEL ?? 'gpt-5-mini', timeoutMs: 7_200_000 }),
    ...NAME,
  };
  const replay = withRecording(live, { mode: 'replay', store });
  const record = withRecording(live, { mode: 'record', store });
  const asked = new Set<string>();
  const turns = new Map<string, number>();
  let changed = 0;

  /** The reply to the same task at the same turn, whatever its prompt was. */
  const ofSameTask = async (task: string, turn: number): Promise<ModelResult | undefined> => {
    const same = (await store.load()).filter(
      ({ request }) => (request.output as ModelRequest['output'])?.name === task,
    );
    return same[turn]?.result;
  };

  const generate = async (request: ModelRequest): Promise<ModelResult> => {
    const task = request.output?.name ?? '';
    const turn = turns.get(task) ?? 0;
    turns.set(task, turn + 1);
    asked.add(requestKey(NAME, request));
    try {
      return await replay.generate(request);
    } catch (error) {
      if (!isAskemaError(error) || error.code !== 'RECORDING_MISSING') throw error;
      if (isRecording) {
        console.log(`  (asking for ${task})`);
        return record.generate(request);
      }
      const result = await ofSameTask(task, turn);
      if (result === undefined) throw error;
      changed += 1;
      return result;
    }
  };
  return {
    model: { contract: 1, ...NAME, generate },
    finish() {
      if (changed > 0) console.log(`\n${changed} of the prompts have changed since their replies were recorded.`);
      if (!isRecording) return;
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      const kept = lines.filter((line) => asked.has((JSON.parse(line) as { readonly key: string }).key));
      writeFileSync(file, `${kept.join('\n')}\n`);
    },
  };
}
