import { AskemaError } from '@askema/core';
import type { z } from 'zod';
import type { Standing } from '../../model/standing.ts';
import type { Loss, TextFile } from '../conversion.ts';
import { readShape, unreadKeys } from '../read-shape.ts';
import { type Path, readYaml, type YamlFile } from '../read-yaml.ts';
import {
  READ_KEYS,
  snakeKeys,
  type WrenCube,
  type WrenModel,
  type WrenRelationship,
  type WrenView,
  wrenCube,
  wrenManifest,
  wrenModel,
  wrenProject,
  wrenRelationships,
  wrenView,
} from './wren-file.ts';

/** A part of a project with the place that it was read from. */
export interface Part<Content> {
  readonly content: Content;
  readonly origin: Origin;
}

export interface Origin {
  readonly file: string;
  /** 1-based, of a value below the part. */
  lineOf(path: Path): number;
}

export interface WrenParts {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly dataSource: string | undefined;
  /** Of the project as a whole. */
  readonly origin: Origin;
  readonly models: readonly Part<WrenModel>[];
  readonly relationships: readonly Part<WrenRelationship>[];
  readonly cubes: readonly Part<WrenCube>[];
  readonly views: readonly Part<WrenView>[];
  /** Prose and queries of `knowledge/`, by their paths below it. */
  readonly prose: readonly TextFile[];
}

/** What an importer leaves out. */
export class Losses {
  readonly lost: Loss[] = [];

  lose(origin: Origin, path: Path, what: string, reason: string): void {
    this.lost.push({ what, place: { file: origin.file, line: origin.lineOf(path) }, reason });
  }

  /** Keys that our model lacks. */
  loseUnread(origin: Origin, path: Path, value: object, read: readonly string[], entry: string): void {
    for (const { key, hint } of unreadKeys(value, read)) {
      if ((value as Record<string, unknown>)[key] === false) continue;
      this.lose(origin, [...path, key], `${entry}: ${key}`, `Nothing here acts by it. ${hint}`.trim());
    }
  }
}

export function standingOf(origin: Origin): Standing {
  return { state: 'proposed', source: 'wren', place: { file: origin.file, line: origin.lineOf(['name']) } };
}

/** The parts of a project, out of its folder or its `mdl.json`; files that are none of it are lost. */
export function readParts(files: readonly TextFile[], losses: Losses): WrenParts {
  const project = files.find(({ path }) => /(^|\/)wren_project\.ya?ml$/.test(path));
  const root = project?.path.replace(/[^/]*$/, '') ?? '';
  const gathered = {
    models: [] as Part<WrenModel>[],
    relationships: [] as Part<WrenRelationship>[],
    cubes: [] as Part<WrenCube>[],
    views: [] as Part<WrenView>[],
    prose: [] as TextFile[],
  };
  let head: { name?: string; description?: string; dataSource?: string; origin: Origin } | undefined;
  const queries = new Map(
    files.filter(({ path }) => path.endsWith('/ref_sql.sql')).map((file) => [file.path, file.text]),
  );
  for (const file of files) {
    const path = file.path.startsWith(root) ? file.path.slice(root.length) : file.path;
    if (file === project) {
      const { content, origin } = readPart(wrenProject, file);
      head = headOf(content.name, content.description, content.data_source, origin);
    } else if (/^(target\/)?mdl\.json$/.test(path)) {
      // A project is compiled into this file, so beside a project it says the same again.
      if (project !== undefined) continue;
      const { content, origin } = readPart(wrenManifest, file);
      head = headOf(undefined, content.description, content.data_source, origin);
      losses.loseUnread(origin, [], content, READ_KEYS.manifest, 'project');
      gathered.models.push(...partsIn(content.models, 'models', origin));
      gathered.relationships.push(...partsIn(content.relationships, 'relationships', origin));
      gathered.cubes.push(...partsIn(content.cubes, 'cubes', origin));
      gathered.views.push(...partsIn(content.views, 'views', origin));
    } else if (/^models\/.*\.ya?ml$/.test(path)) {
      const part = readPart(wrenModel, file);
      const beside = queries.get(file.path.replace(/[^/]*$/, 'ref_sql.sql'));
      gathered.models.push(
        beside === undefined ? part : { ...part, content: { ...part.content, ref_sql: beside.trim() } },
      );
    } else if (/^relationships\.ya?ml$/.test(path)) {
      const { content, origin } = readPart(wrenRelationships, file);
      gathered.relationships.push(...partsIn(content.relationships, 'relationships', origin));
    } else if (/^cubes\/.*\.ya?ml$/.test(path)) gathered.cubes.push(readPart(wrenCube, file));
    else if (/^views\/.*\.ya?ml$/.test(path)) gathered.views.push(readPart(wrenView, file));
    else if (/^knowledge\/.*\.md$/.test(path)) gathered.prose.push({ ...file, path: path.slice('knowledge/'.length) });
    else if (!path.endsWith('/ref_sql.sql') && !/^knowledge\/knowledge\.ya?ml$/.test(path))
      losses.lose(fileOrigin(file.path), [], file.path, 'It is no file of a project that is known here.');
  }
  if (head === undefined)
    throw new AskemaError(
      'KNOWLEDGE_INVALID',
      'There is no `wren_project.yml` and no `mdl.json` among the files. Name the folder of the project.',
      { details: { file: files[0]?.path ?? '' } },
    );
  return { name: undefined, description: undefined, dataSource: undefined, ...head, ...gathered };
}

function headOf(
  name: string | null | undefined,
  description: string | null | undefined,
  dataSource: string | null | undefined,
  origin: Origin,
): { name?: string; description?: string; dataSource?: string; origin: Origin } {
  return {
    origin,
    ...(name ? { name } : {}),
    ...(description ? { description } : {}),
    ...(dataSource ? { dataSource: dataSource.toLowerCase() } : {}),
  };
}

function readPart<Shape extends z.ZodType>(schema: Shape, file: TextFile): Part<z.output<Shape>> {
  const read = readYaml(file.text, file.path);
  const yaml: YamlFile = file.path.endsWith('.json')
    ? { ...read, value: snakeKeys(read.value), lineOf: (path) => read.lineOf(path.map(camelCase)) }
    : read;
  return {
    content: readShape(schema, yaml, file.path),
    origin: { file: file.path, lineOf: (path) => yaml.lineOf(path) },
  };
}

function partsIn<Content>(list: readonly Content[] | null | undefined, key: string, origin: Origin): Part<Content>[] {
  return (list ?? []).map((content, at) => ({
    content,
    origin: { file: origin.file, lineOf: (path) => origin.lineOf([key, at, ...path]) },
  }));
}

function fileOrigin(file: string): Origin {
  return { file, lineOf: () => 1 };
}

function camelCase(part: string | number): string | number {
  return typeof part === 'number' ? part : part.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
