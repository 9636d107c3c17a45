import { HINDI_NAMES } from '@drawhouse/session/hindi-names';
import { translatorOf } from '@drawhouse/session/translate';
import { fairHindi } from './fairHindi.ts';
import { fairTicketHindi } from './fairTicketHindi.ts';

const FINDINGS: Readonly<Record<string, string>> = {
  'No draw has this id. Check that you copied it completely.':
    'इस आईडी का कोई ड्रॉ नहीं है। देख लें कि आपने पूरी आईडी कॉपी की है।',
  'Something went wrong': 'कुछ गड़बड़ हो गई',
  'No connection to the server.': 'सर्वर से कनेक्शन नहीं है।',
  'The seed does not match the commitment.': 'सीड कमिटमेंट से मेल नहीं खाता।',
  'The published result differs from the one that the seed gives, {}.': 'प्रकाशित रिज़ल्ट सीड से निकले रिज़ल्ट, {}, से अलग है।',
  'The published booster differs from the one that the seed gives, {}.': 'प्रकाशित बूस्टर सीड से निकले बूस्टर, {}, से अलग है।',
  'The draw used version {} of the rules; this check knows version {}.':
    'ड्रॉ में नियमों का वर्शन {} था; यह जाँच वर्शन {} जानती है।',
  'The draw uses round {} of {}; by its close it must use {}.':
    'ड्रॉ में {2} का राउंड {1} है; बंद होने के समय से {3} होना चाहिए।',
  'Not sealed': 'सील नहीं',
  'The books are not sealed yet.': 'बही-खाते अभी सील नहीं हैं।',
  'Not witnessed': 'बिना गवाह',
  'Witnessed by {}': '{} गवाह',
  'This server has sealed the books itself since {}; no witness confirms them.':
    'यह सर्वर {} से बही-खाते खुद सील कर रहा है; कोई गवाह उनकी पुष्टि नहीं करता।',
  'The sealed books have been witnessed by one other party since {}, last on {}.':
    'सील किए गए बही-खाते की {} से एक और पक्ष पुष्टि कर रहा है, आखिरी बार {}।',
  'The sealed books have been witnessed by {} other parties since {}, last on {}.':
    'सील किए गए बही-खाते की {2} से {1} और पक्ष पुष्टि कर रहे हैं, आखिरी बार {3}।',
  '{} Sealing is paused; records committed meanwhile are sealed when it resumes.':
    '{} सील करना रुका हुआ है; इस बीच के रिकॉर्ड फिर शुरू होने पर सील होंगे।',
  number: 'नंबर',
  rank: 'कार्ड',
  suit: 'निशान',
  booster: 'बूस्टर',
};

const shared = translatorOf({ ...HINDI_NAMES, ...FINDINGS });

export const hindi: Readonly<Record<string, unknown>> = {
  fairTexts: fairHindi,
  fairTicketTexts: fairTicketHindi,
  sharedText: (english: string): string => shared(english) ?? english,
};

// index.html runs this script before the app, on pages below /fair.
globalThis.catalogue = { language: 'hi', textsOf: (name, english) => hindi[name] ?? english };
