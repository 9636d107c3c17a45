export const ACTIVITY_FIELD_TEXTS = {
  subjectMissing: 'Describe the action in subject',
  wrongMethod: 'Enter an HTTP method, such as GET',
} as const;
