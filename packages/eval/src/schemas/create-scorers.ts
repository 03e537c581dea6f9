import type { Synonyms } from './name-likeness.ts';
import type { ScorerName } from './schema-score.ts';
import type { SchemaScorer } from './schema-scorer.ts';
import { scoreStrict } from './score-strict.ts';

/** What scorers may use beside the spelling of names. */
export interface ScorerPorts {
  readonly synonyms?: Synonyms | undefined;
}

/** The scorers of these names, with their ports. */
export function createScorers(names: readonly ScorerName[], ports: ScorerPorts = {}): readonly SchemaScorer[] {
  return names.map((name) => ({
    name,
    ports: [`synonyms: ${ports.synonyms?.name ?? 'off'}`],
    score: async (gold, predicted) => scoreStrict(gold, predicted, { synonyms: ports.synonyms }),
  }));
}
