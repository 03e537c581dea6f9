import type { CallContext, Journal } from '@askema/core';
import type { FlowSpec } from '../question/flow-spec.ts';
import type { QuestionState } from '../question/question-state.ts';

/** A run that ended by asking back. */
interface AskedBack {
  readonly state: QuestionState;
  readonly tags?: CallContext['tags'] | undefined;
  readonly tenant?: string | undefined;
}

/** Where runs that ended by asking back are found again. */
interface AskedBackSource {
  find(runId: string): Promise<AskedBack | undefined>;
  /** Absent where the runs are recorded anyway. */
  keep?(runId: string, asked: AskedBack): void;
}

/** Runs that wait for an answer in this process at most; the oldest are forgotten. */
const MAX_REMEMBERED = 100;

/** Without a journal: this process alone remembers. */
export function rememberedQuestions(): AskedBackSource {
  const kept = new Map<string, AskedBack>();
  return {
    find: async (runId) => kept.get(runId),
    keep(runId, asked) {
      kept.set(runId, asked);
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_REMEMBERED) break;
        kept.delete(oldest);
      }
    },
  };
}

/** With a journal: also after a restart. */
export function recordedQuestions({ flow }: FlowSpec<object, unknown>, journal: Journal): AskedBackSource {
  return {
    async find(runId) {
      const entries = await journal.read(runId);
      const [header] = entries;
      const last = entries.at(-1);
      if (header?.kind !== 'run' || last?.kind !== 'end' || last.status !== 'finished') return undefined;
      // A run of another flow is refused when it is resumed, with the reason.
      const ended = await flow.replay(runId, { journal }).catch(() => undefined);
      if (ended?.state.verdict?.type !== 'needsClarification') return undefined;
      return { state: ended.state, tags: header.tags, tenant: header.tenant };
    },
  };
}
