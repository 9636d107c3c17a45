export const authTexts = {
  yourAccountIsReady: (username: string | number) =>
    `Your account ${username} is ready. Sign in with the password you chose.`,
};
