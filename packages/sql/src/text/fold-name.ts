/**
 * A name as MySQL and MariaDB compare it by `utf8mb3_general_ci`, in lower case and without accents. Each of the 65,535
 * characters was held against the weights of MariaDB 10.11: ß and the iota below a letter have weights that do not
 * follow from Unicode's rules.
 */
export function foldName(name: string): string {
  const letters = name.replaceAll('\u0345', 'ι').normalize('NFKD').replace(/\p{M}/gu, '').replace(/[ßẞ]/g, 's');
  // ı and ς are other letters in upper case alone.
  return letters.toUpperCase().toLowerCase();
}
