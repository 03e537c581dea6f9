import { phraseSet, phraseTable } from './phrase-table.ts';

/** What may stand in front of a noun without changing what is asked. */
export const DETERMINERS = phraseTable<'plain' | 'each' | 'possessive' | 'distinct'>([
  ...'the|a|an|all|all the|all of the|all of|any|this|that|these|those|the list of|a list of|the set of|the various|various|such|given|our|all our|all of our|one of our|my|the given|the following|corresponding|the corresponding|respective|the respective|both the|the full list of|the complete list of'
    .split('|')
    .map((phrase) => [phrase, 'plain'] as const),
  ...['each', 'every', 'each of the', 'each one of the', 'every single', 'each individual', 'each and every'].map(
    (phrase) => [phrase, 'each'] as const,
  ),
  ...['his', 'her', 'its', 'their', 'his or her', 'his / her', 'her or his'].map(
    (phrase) => [phrase, 'possessive'] as const,
  ),
  ...'different|distinct|unique|all different|all distinct|all unique|the different|the distinct|the unique|all the different|all the distinct|all the unique|the different kinds of|the different types of|the distinct types of|different kinds of'
    .split('|')
    .map((phrase) => [phrase, 'distinct'] as const),
]);

/** Politeness and scenery in front of a question. */
export const PREAMBLES = phraseSet([
  'please',
  'can you',
  'could you',
  'would you',
  'can you please',
  'could you please',
  'i want to know',
  'i would like to know',
  'i want to see',
  'i need',
  'i want',
  'i would like to see',
  'we need',
  'tell me',
  'let me know',
  'now',
  'also',
  'and',
  'then',
]);

/** Verbs that ask for a list. */
export const LIST_VERBS = phraseSet(
  (
    'list|show|give|find|return|display|tell|get|select|provide|print|retrieve|fetch|report|identify|output|state|name|present|search|enumerate|compute|calculate|determine|' +
    'list me|show me|give me|find me|tell me|get me|list out|find out|show out|give us|show us|tell us|look up|write down|what about|see'
  ).split('|'),
);

/** What may end a question without adding to it. */
export const CLOSINGS = phraseSet(
  (
    'were there|was there|have there been|in the database|in this database|in the data|in the table|in the system|in our database|on record|in total|overall|altogether|in all|listed|recorded|stored|available|' +
    'are there|is there|there are|there is|exist|are listed|are recorded|are stored|do we have|do you have|have we|we have|that we have|in the list|please|that exist|that are listed|that are stored|on file|are available|' +
    'are shown|are provided|are given|are included|there|at all|of them|in the records|are in the database|are there in total|do we have in total|exist in the database|are in the table'
  ).split('|'),
);

/** Adverbs that say nothing about which rows are meant. */
export const FILLER_ADVERBS = phraseSet([
  'also',
  'ever',
  'currently',
  'already',
  'still',
  'actually',
  'just',
  'then',
  'together',
  'respectively',
  'simply',
]);

export const NEGATIONS = phraseSet(['not', 'never', 'no longer']);

/** Between two things that are asked for. */
export const LIST_SEPARATORS = phraseSet(
  'and|and also|as well as|along with|together with|plus|and then|alongside|with their|with its|with his or her'.split(
    '|',
  ),
);

/** Relative pronouns. */
export const RELATIVES = phraseSet(['that', 'which', 'who', 'whom', 'where']);

export const NOBODY = phraseSet(['nobody', 'no one']);

/** Words for entities that are named elsewhere in the question. */
export const PRONOUNS = phraseSet(
  'they|them|it|he|she|ones|one|those|these|someone|somebody|anyone|anybody|something|anything|each of them|each one|it|these ones|those ones|people'.split(
    '|',
  ),
);

export const AUXILIARIES = phraseSet('do|does|did|can|could|will|would|have|has|had|may|might|should|must'.split('|'));

export const BE_FORMS = phraseSet(
  'is|are|was|were|be|been|being|has been|have been|had been|will be|can be|is being|are being|must be|should be'.split(
    '|',
  ),
);

/** Prepositions between a thing and what it is related to. */
export const PREPOSITIONS = phraseSet(
  'in|from|at|on|for|by|to|with|within|during|under|inside|into|onto|through|via|across|near|as|among|throughout|about|out of|belonging to|for the|upon|against|towards|toward'.split(
    '|',
  ),
);
