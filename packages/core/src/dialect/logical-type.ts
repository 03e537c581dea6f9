import type { DataType } from '../schema/schema.ts';
import type { Dialect, TypeTraits } from './dialect.ts';

interface CompiledTypes {
  readonly rules: readonly { readonly pattern: RegExp; readonly type: DataType }[];
  readonly known: Map<string, DataType>;
}

/** Memo of compiled patterns and of native types seen; traits are immutable data. */
const compiledTypes = new WeakMap<TypeTraits, CompiledTypes>();

/** Databases repeat few native types; a hostile one must not fill the memory. */
const KNOWN_LIMIT = 1_000;

/** The logical type of a native type, by the first pattern of the dialect that matches it whole. */
export function logicalType(nativeType: string, dialect: Pick<Dialect, 'types'>): DataType {
  const traits = dialect.types;
  const { rules, known } = compile(traits);
  const before = known.get(nativeType);
  if (before !== undefined) return before;
  const trimmed = nativeType.trim();
  const type = rules.find((rule) => rule.pattern.test(trimmed))?.type ?? traits.fallback;
  if (known.size < KNOWN_LIMIT) known.set(nativeType, type);
  return type;
}

function compile(traits: TypeTraits): CompiledTypes {
  let compiled = compiledTypes.get(traits);
  if (compiled === undefined) {
    const rules = traits.logical.map(({ pattern, type }) => ({ pattern: new RegExp(`^(?:${pattern})$`, 'is'), type }));
    compiled = { rules, known: new Map() };
    compiledTypes.set(traits, compiled);
  }
  return compiled;
}
