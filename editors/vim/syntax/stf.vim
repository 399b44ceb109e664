" The Simple Text Format, in both dialects.

if exists('b:current_syntax')
  finish
endif

syntax match stfCommand /^[@;]\s*\h\w*/
syntax match stfMessage /^[@;]\s*\%(message\|msg\|user\|assistant\|ai\|system\|sys\|developer\|dev\|tool\|raw\)\>/
syntax match stfArgument /\%(^[@;].*\)\@<=\s\zs[a-z][a-z0-9_]*\ze\s*=/
syntax match stfLiteral /^\%(@@\|;;\)/
syntax match stfComment /^[@;]\s*\%(#\|\/\/\).*$/
syntax region stfComment start=/^[@;]\s*\/\*/ end=/^[@;]\s*\*\// contains=stfComment

highlight default link stfCommand Keyword
highlight default link stfMessage Statement
highlight default link stfArgument Identifier
highlight default link stfLiteral SpecialChar
highlight default link stfComment Comment

let b:current_syntax = 'stf'
