import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedModel } from '@askema/testkit';
import { plain } from '@askema/text2sql';
import { expect, test } from 'vitest';
import { agreement, askEngines, type EngineAnswer } from './ask-engines.ts';
import { ENGINE_NAMES, type EngineName, LOADERS, type LoadedEngine, sampleStore } from './engines.ts';
import { QUESTIONS } from './questions.ts';

/**
 * What a language model said to the prompts of the plain flow, by engine and question: recorded, made by
 * `pnpm same-answers`.
 */
interface Recorded {
  readonly engine: EngineName;
  readonly question: number;
  readonly replies: readonly string[];
}

const RECORDED = JSON.parse(
  readFileSync(join(import.meta.dirname, 'plain.recorded-replies.json'), 'utf8'),
) as readonly Recorded[];

test('the plain flow gives the same answers on five engines that hold the same data', {
  timeout: 600_000,
}, async () => {
  const engines: LoadedEngine[] = [];
  try {
    const tables = await sampleStore();
    for (const name of ENGINE_NAMES) engines.push(await LOADERS[name](tables));
    const answers = await askEngines(engines, { flow: plain(), modelOf, concurrency: 5 });
    const notAnswered = answers.filter(({ outcome }) => outcome !== 'answered');
    expect(notAnswered.map(({ engine, question, outcome }) => ({ engine, question, outcome }))).toEqual([]);
    expect(differing(answers)).toEqual([]);
  } finally {
    for (const engine of engines) await engine.stop();
  }
});

function modelOf(engine: EngineName, question: number) {
  const recorded = RECORDED.find((each) => each.engine === engine && each.question === question);
  return scriptedModel((recorded?.replies ?? []).map((text) => ({ text })));
}

/** Questions on which not all engines agree. */
function differing(answers: readonly EngineAnswer[]): readonly unknown[] {
  return agreement(answers).flatMap((same, question) =>
    same.length === ENGINE_NAMES.length ? [] : [{ question: QUESTIONS[question], same }],
  );
}
