import { phraseSet } from './phrase-table.ts';

/** Verbs of having: what follows is a related thing or an attribute. */
export const HAVE_VERBS = phraseSet(
  'have|has|had|having|with|contain|contains|containing|contained|include|includes|including|own|owns|owning|possess|possesses|possessing|hold|holds|holding|got|has got|have got|ever have|ever had'.split(
    '|',
  ),
);

/**
 * Verbs that say no more than that two things belong together. Whether they do is decided by the keys of the database;
 * a verb outside this list must share its stem with a name of the schema, or the question is not read.
 */
const LIGHT_VERBS: readonly (readonly string[])[] = [
  'belong belongs belonged belonging'.split(' '),
  'come comes came coming'.split(' '),
  'live lives lived living reside resides residing'.split(' '),
  'located situated based placed found kept stored held'.split(' '),
  'exist exists existing occur occurs occurred happen happens happened'.split(' '),
  'use uses used using'.split(' '),
  'take takes took taken taking'.split(' '),
  'make makes made making'.split(' '),
  'get gets got getting receive receives received receiving'.split(' '),
  'give gives gave given giving'.split(' '),
  'show shows showed shown showing'.split(' '),
  'play plays played playing perform performs performed performing'.split(' '),
  'serve serves served serving'.split(' '),
  'work works worked working'.split(' '),
  'offer offers offered offering provide provides provided providing'.split(' '),
  'attend attends attended attending'.split(' '),
  'appear appears appeared appearing feature features featured featuring'.split(' '),
  'participate participates participated participating join joins joined joining'.split(' '),
  'assigned associated related linked connected attached allocated'.split(' '),
  'registered recorded listed involved'.split(' '),
  'involve involves covering cover covers covered'.split(' '),
  'speak speaks spoke spoken speaking'.split(' '),
  'teach teaches taught teaching'.split(' '),
  'buy buys bought buying purchase purchases purchased purchasing'.split(' '),
  'order orders ordered ordering place places placed placing'.split(' '),
  'sell sells sold selling ship ships shipped shipping'.split(' '),
  'enroll enrolls enrolled enrolling enrol enrols enrolling study studies studied studying'.split(' '),
  'produce produces produced producing build builds built building create creates created creating'.split(' '),
  'run runs ran running operate operates operated operating'.split(' '),
  'visit visits visited visiting stay stays stayed staying'.split(' '),
  'win wins won winning award awarded'.split(' '),
  'write writes wrote written writing direct directs directed directing publish publishes published publishing'.split(
    ' ',
  ),
  'hire hires hired hiring employ employs employed employing'.split(' '),
  'send sends sent sending file files filed filing submit submits submitted handle handles handled'.split(' '),
  'do does did done go goes went going'.split(' '),
  'apply applies applied born'.split(' '),
  'host hosts hosted hosting look looks looked looking'.split(' '),
  'supply supplies supplied supplying stock stocks stocked carry carries carried'.split(' '),
  'need needs needed see sees saw seen treat treats treated treating'.split(' '),
  'earn earns earned earning charge charges charged charging'.split(' '),
  'deliver delivers delivering start starts started starting'.split(' '),
  'sponsor sponsors sponsored manage manages managed managing lead leads led leading'.split(' '),
];

const LIGHT: ReadonlySet<string> = new Set(LIGHT_VERBS.flat());

/** All forms of all light verbs, for who asks which words are known. */
export const LIGHT_VERB_FORMS: ReadonlySet<string> = LIGHT;

/** True for a verb of {@link LIGHT_VERBS}, in any of its forms. */
export function isLightVerb(lower: string): boolean {
  return LIGHT.has(lower);
}

/** "named X", "called X". */
export const NAMING_VERBS = phraseSet([
  'named',
  'called',
  'entitled',
  'titled',
  'known as',
  'with the name',
  'with name',
  'is named',
  'is called',
  'are named',
  'are called',
  'whose name is',
]);
