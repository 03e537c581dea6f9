/**
 * The words of a name, in lower case: snake_case, camelCase, kebab-case, blanks and digits are taken apart. `StuID`
 * gives "stu", "id"; `HTTPServer2` gives "http", "server", "2".
 */
export function splitName(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .replace(/(\p{N})(\p{L})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');
}
