import {
  type Dialect,
  type ForeignKey,
  indexSchema,
  quoteIfNeeded,
  type RelationId,
  type SchemaIndex,
} from '@askema/core';
import type { ConceptualModel, RequirementReport } from '../model/conceptual-model.ts';
import type { DesignedRelation, LogicalDesign } from '../model/logical-design.ts';
import type { SchemaRole } from '../model/role-id.ts';
import { foldWords } from './fold-words.ts';

/** What compiling a case reads. */
export interface CompileGround {
  readonly design: LogicalDesign;
  readonly index: SchemaIndex;
  readonly dialect: Dialect;
  readonly report: RequirementReport | undefined;
  readonly conceptual: ConceptualModel | undefined;
  readonly designed: ReadonlyMap<RelationId, DesignedRelation>;
}

export function compileGround(
  design: LogicalDesign,
  dialect: Dialect,
  papers: {
    readonly report?: RequirementReport | undefined;
    readonly conceptual?: ConceptualModel | undefined;
  } = {},
): CompileGround {
  return {
    design,
    dialect,
    index: indexSchema(design.schema, {
      nameComparison: dialect.identifiers.comparison,
      relationComparison: dialect.identifiers.relationComparison,
    }),
    report: papers.report,
    conceptual: papers.conceptual,
    designed: new Map(design.relations.map((designed) => [designed.relation, designed])),
  };
}

/**
 * Why a case cannot be written in SQL, and who can mend it. Caught where a case is compiled; it never leaves this
 * folder.
 */
export class CompileProblem extends Error {
  readonly role: SchemaRole;

  constructor(role: SchemaRole, message: string) {
    super(message);
    this.role = role;
  }
}

/** The name of a relation as the DDL writes it. */
export function relationSql({ index, dialect }: CompileGround, relation: RelationId): string {
  return quoteIfNeeded(index.relation(relation)?.name ?? relation, dialect);
}

export function attributeSql({ index, dialect }: CompileGround, attribute: string): string {
  return quoteIfNeeded(index.attribute(attribute)?.name ?? attribute, dialect);
}

/** Names under which people speak of a relation: its own, and that of the set that it was made from. Each once. */
export function namesOf({ index, designed }: CompileGround, relation: RelationId): readonly string[] {
  const own = index.relation(relation)?.name;
  const source = designed.get(relation)?.source.set;
  return [...new Set([own, source].filter((name) => name !== undefined))];
}

/** Foreign keys in whose pairs the attribute stands on the near side. */
export function foreignKeysOf({ index }: CompileGround, attribute: string): readonly ForeignKey[] {
  const relation = index.attribute(attribute)?.relation;
  if (relation === undefined) return [];
  return index.foreignKeysFrom(relation).filter(({ pairs }) => pairs.some(({ from }) => from === attribute));
}

/** True where the report speaks of a fact of that name, of the subject (by any of its names) or of any subject. */
export function isReported({ report }: CompileGround, attribute: string, subjects?: readonly string[]): boolean {
  if (report === undefined) return false;
  const wanted = foldWords(attribute);
  const owners = subjects?.map(foldWords);
  return report.subjects.some(({ name, attributes }) => {
    const owner = foldWords(name);
    if (owners !== undefined && !owners.includes(owner)) return false;
    return attributes.some((known) => {
      const folded = foldWords(known);
      return folded === wanted || owner + folded === wanted || folded === owner + wanted;
    });
  });
}

/** Who can make room for a fact that the schema has no place for. */
export function roleForMissing(ground: CompileGround, subject: string, attribute: string): SchemaRole {
  const { conceptual, report } = ground;
  const wanted = foldWords(attribute);
  const owner = foldWords(subject);
  const sets = [...(conceptual?.entitySets ?? []), ...(conceptual?.relationshipSets ?? [])];
  if (sets.some((set) => foldWords(set.name) === owner && set.attributes.some((known) => foldWords(known) === wanted)))
    return 'logical-designer';
  if (report === undefined || isReported(ground, attribute, [subject])) return 'conceptual-designer';
  return 'qa-engineer';
}
