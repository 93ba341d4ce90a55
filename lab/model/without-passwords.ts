/** `postgres://user:secret@host` -> `postgres://user:***@host`, in any text: what is printed or kept holds no password. */
export function withoutPasswords(text: string): string {
  // Up to the last @: a password that was not encoded may hold any character, and too much hidden is better than too little.
  return text.replaceAll(/([a-z][a-z\d+.-]*:\/\/[^\s:@]*):.*@/gi, '$1:***@');
}
