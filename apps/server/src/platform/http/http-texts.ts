export const HTTP_TEXTS = {
  oneHost: 'Send exactly one Host header.',
  wrongAddress: 'This login may not be used from here.',
  keyNotAllowed: "An API key doesn't work for this call. Please sign in.",
  notHttp: 'This is not a valid HTTP request.',
  tooManyCalls: (seconds: number): string =>
    `Too many calls. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
  plainNumber: 'Send the number as plain digits, such as 12.50',
  noNul: 'The NUL character is not allowed',
  brokenCharacter: 'This text contains an incomplete character',
  notJson: (reason: string): string => `The body is not valid JSON: ${reason}`,
  tooDeep: (most: number): string => `Nest at most ${most} lists and objects`,
  tooManyValues: (most: number): string => `Send at most ${most} values`,
  busyReading: 'The server is busy reading other files. Please try again in a moment.',
  stillReading: 'The server is still reading your previous files. Please try again in a moment.',
  textTooLong: 'This text is too long',
  fileFields: (names: string): string => `The file fields are ${names}`,
  fileTwice: 'This file was sent twice',
  fileTooLarge: (most: number): string => `A file can have at most ${most} MB`,
  notMultipart: 'This is not a complete multipart/form-data form',
  tookTooLong: (seconds: number): string =>
    `This took longer than ${seconds === 1 ? 'a second' : `${seconds} seconds`} and was stopped. Ask for less, ` +
    'such as a shorter period.',
  numberedPages: 'This list has numbered pages: send page',
  noSort: "This list can't be sorted: leave out sort",
  eitherOr: (one: string, other: string): string => `Send ${one} or ${other}, not both`,
} as const;
