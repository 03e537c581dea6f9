import { splitWords } from '@askema/grounding';

/**
 * Words of names and comments that say that an attribute is about a person's identity, contact, body, money or secrets;
 * several words must stand beside each other. A heuristic: it knows English words and common abbreviations, and it
 * reads no cell.
 */
export const PERSONAL_WORDS: readonly string[] = [
  // Contact
  'email',
  'e mail',
  'phone',
  'telephone',
  'tel',
  'mobile',
  'cell number',
  'fax',
  'address',
  'addr',
  'street',
  'zip',
  'zipcode',
  'postcode',
  'postal code',
  // Identity
  'ssn',
  'social security',
  'national id',
  'tax id',
  'passport',
  'driver license',
  'driving licence',
  'license plate',
  'birth',
  'birthday',
  'birthdate',
  'dob',
  'maiden',
  'first name',
  'firstname',
  'fname',
  'last name',
  'lastname',
  'lname',
  'surname',
  'full name',
  'fullname',
  // Body and belief
  'diagnosis',
  'ethnicity',
  'religion',
  // Money
  'iban',
  'account number',
  'credit card',
  'card number',
  'cvv',
  'salary',
  // Secrets
  'password',
  'passwd',
  'pwd',
  'secret',
  'token',
  'api key',
  'ip address',
];

const PHRASES: readonly string[] = PERSONAL_WORDS.map((phrase) => ` ${splitWords(phrase).join(' ')} `);

/** True when the name or the comment of an attribute says that its cells are personal (see {@link PERSONAL_WORDS}). */
export function isPersonalAttribute(name: string, comment: string | undefined): boolean {
  return [name, comment ?? ''].some((text) => {
    const words = ` ${splitWords(text).join(' ')} `;
    return PHRASES.some((phrase) => words.includes(phrase));
  });
}
