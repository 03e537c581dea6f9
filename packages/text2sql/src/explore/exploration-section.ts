import { fence } from '@askema/core';
import { cutText, onOneLine } from '../cut-text.ts';
import type { Exploration, ExplorationFinding } from './exploration.ts';

/** Of statements, purposes and errors: models and databases write them as long as they like. Results were cut before. */
const MAX_SQL_CHARACTERS = 2_000;
const MAX_PURPOSE_CHARACTERS = 200;
const MAX_ERROR_CHARACTERS = 300;
const MAX_RELEVANT_CHARACTERS = 4_000;

/**
 * What a model found out, as one fenced block for later prompts: relevant relations and attributes, then each statement with its result or
 * error. Empty when nothing was found. The profile is not in it: see {@link profileSection}.
 */
export function explorationSection({ relevant, findings }: Pick<Exploration, 'relevant' | 'findings'>): string {
  const named = relevant.map(({ relation, attributes }) => `${relation} (${attributes.join(', ')})`).join('; ');
  const parts = [
    ...(named === '' ? [] : [cutText(`Relevant: ${onOneLine(named)}`, MAX_RELEVANT_CHARACTERS)]),
    ...findings.map(findingText),
  ];
  return parts.length === 0 ? '' : fence('exploration', parts.join('\n\n'));
}

/** Profiles that were taken without a model, as one fenced block; empty when there are none. */
export function profileSection({ profile }: Pick<Exploration, 'profile'>): string {
  return profile.trim() === '' ? '' : fence('profile', profile);
}

function findingText({ sql, purpose, view, error }: ExplorationFinding, position: number): string {
  const shown = view ?? `failed: ${cutText(onOneLine(error ?? 'It was not run.'), MAX_ERROR_CHARACTERS)}`;
  return `${position + 1}. ${cutText(onOneLine(purpose), MAX_PURPOSE_CHARACTERS)}\n${cutText(sql, MAX_SQL_CHARACTERS)}\n→ ${shown}`;
}
