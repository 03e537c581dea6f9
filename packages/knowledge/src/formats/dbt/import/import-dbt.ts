import { AskemaError } from '@askema/core';
import type { TimeSpine } from '../../../model/semantic-model.ts';
import type { Imported, Loss, TextFile } from '../../conversion.ts';
import { asSentence } from '../as-sentence.ts';
import type { DbtTimeSpine } from '../project/dbt-project.ts';
import { readProject } from '../project/read-project.ts';
import type { DbtTarget } from '../project/read-semantic-model.ts';
import { buildDataset, buildRelationships, standingOf } from './build-datasets.ts';
import { buildMetrics } from './build-metrics.ts';

/**
 * The semantic layer of a dbt project: semantic models as datasets, entities as keys and relationships, measures and
 * metrics as metrics, descriptions and accepted values of columns. Reads the legacy specification (dbt Core 1.6 to 1.12),
 * the latest one (1.12), and `semantic_manifest.json`. Rows are found in the tables that dbt's models make; what else a
 * project says (tests, sources, exposures) is no part of it. `lost` has all that the semantic layer says and that is not
 * here: conversion metrics, saved queries, Jinja beside the calls of filters, keys without a counterpart.
 * A measure that no metric uses becomes a metric, and counts are 0 where there are no rows.
 *
 * @param files of the project, in any order; those that are neither YAML nor JSON are not read.
 * @param options where the tables are. Without them: as a manifest says, else the names of the models alone.
 * @throws AskemaError `KNOWLEDGE_INVALID` where no file defines a semantic model.
 */
export function importDbt(files: readonly TextFile[], options: DbtTarget = {}): Imported {
  const project = readProject(files, options);
  const { lost } = project;
  if (project.models.length === 0) throw nothingFound(files, lost);
  const built = project.models.map((model) => buildDataset(model, lost));
  const relationships = buildRelationships(built, lost);
  const metrics = buildMetrics(project.metrics, built, lost);
  const timeSpine = chooseTimeSpine(project.timeSpines, lost);
  const [first] = project.models;
  const model = {
    name: project.name ?? 'dbt',
    datasets: built.map(({ dataset }) => dataset),
    relationships,
    metrics,
    filters: [],
    ...(timeSpine !== undefined && { timeSpine }),
    extensions: [],
    standing: standingOf({ place: { file: first?.place.file ?? 'dbt' } }),
  };
  return { knowledge: { models: [model], settings: {}, texts: [], verifiedQueries: [] }, lost: lost.map(asSentence) };
}

/** A model has one: that of days, where there is one. */
function chooseTimeSpine(spines: readonly DbtTimeSpine[], lost: Loss[]): TimeSpine | undefined {
  const chosen = spines.find((spine) => spine.grain === 'day') ?? spines[0];
  for (const spine of spines) {
    if (spine === chosen || spine.source === chosen?.source) continue;
    const reason = `a model has one time spine, and ${chosen?.source} is taken`;
    lost.push({ what: `time spine ${spine.source}`, place: spine.place, reason });
  }
  return chosen && { source: chosen.source, column: chosen.column, grain: chosen.grain };
}

function nothingFound(files: readonly TextFile[], lost: readonly Loss[]): AskemaError {
  const first = lost[0] === undefined ? '' : ` The first of ${lost.length} problems: ${lost[0].reason}.`;
  return new AskemaError(
    'KNOWLEDGE_INVALID',
    `None of the ${files.length} files defines a semantic model of dbt.${first} ` +
      'Pass the YAML of `models/`, or `target/semantic_manifest.json`.',
    { details: files[0] === undefined ? {} : { file: files[0].path } },
  );
}
