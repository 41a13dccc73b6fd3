// Defines the paths of the HTML pages of tokens, which chats read for link previews.

export const TOKEN_PAGE_FOLDER = 't';

/** Returns `t/<contract id>/index.html`. */
export function tokenPageFile(contractId: string): string {
  return `${TOKEN_PAGE_FOLDER}/${contractId}/index.html`;
}
