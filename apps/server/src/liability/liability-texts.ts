export const LIABILITY_TEXTS = {
  noNetwork: 'No such network of yours. Send the id of its admin',
} as const;
