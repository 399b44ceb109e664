;;; msgls.el --- Files that hold conversations with language models  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Major modes for message files (*.msg.md), the Simple Text Format (*.stf), ChatBuilder
;; messages and messages as JSON, and the language server msgls for them, through eglot:
;;
;;   (require 'msgls)
;;   (add-hook 'msgmd-mode-hook #'eglot-ensure)
;;
;; `C-c C-m' in a message file runs a command of the server at point, `C-c C-v' shows what the
;; model sees beside it; `C-M-a' and `C-M-e' go from cell to cell.

;;; Code:

(require 'cl-lib)

(declare-function eglot-current-server "ext:eglot")
(declare-function eglot--TextDocumentIdentifier "ext:eglot")
(declare-function eglot--server-capable "ext:eglot")
(declare-function eglot--pos-to-lsp-position "ext:eglot")
(declare-function eglot--signal-textDocument/didChange "ext:eglot")
(declare-function eglot-uri-to-path "ext:eglot")
(declare-function eglot--uri-to-path "ext:eglot")
(declare-function jsonrpc-error "jsonrpc")
(declare-function jsonrpc-request "jsonrpc")
(declare-function jsonrpc-async-request "jsonrpc")
(defvar eglot-server-programs)
(defvar eglot-confirm-server-edits)
(defvar eglot-confirm-server-initiated-edits)

(defgroup msgls nil
  "Files that hold conversations with language models."
  :group 'text)

(defcustom msgls-command '("msgls" "serve")
  "The program that is the language server, and its arguments."
  :type '(repeat string))

(defconst msgls--marker "^#\\{1,5\\}[ \t]+%%%?\\(?:[^%]\\|$\\)"
  "The start of a cell.")

(defconst msgls--msgmd-keywords
  '(("^\\(#\\{1,5\\}[ \t]+%%\\)\\(?:[ \t[]\\|$\\)" 1 font-lock-keyword-face t)
    ("^\\(#\\{1,5\\}[ \t]+%%%\\)\\(?:[ \t[]\\|$\\)" 1 font-lock-preprocessor-face t)
    ("^#\\{1,5\\}[ \t]+%%.*?\\(\\[\\^[^][ \t\n]+\\]\\)[ \t]*$" 1 font-lock-variable-name-face t)
    ("^\\(\\[\\^[^][ \t\n]+\\]\\):[ \t]+\\(\\[[^][\n]+\\]\\)"
     (1 font-lock-variable-name-face t) (2 font-lock-type-face t))
    ("^stdout>" 0 font-lock-comment-face)
    ("^stderr>" 0 font-lock-warning-face))
  "What is coloured in a message file besides Markdown.")

(defconst msgls--stf-keywords
  '(("^[@;][ \t]*\\(?:#\\|//\\).*$" . font-lock-comment-face)
    ("^\\(?:@@\\|;;\\)" . font-lock-constant-face)
    ("^[@;][ \t]*[A-Za-z]+" . font-lock-keyword-face))
  "What is coloured in the Simple Text Format.")

(defconst msgls--chatbuilder-keywords
  '(("^;[ \t]*\\([A-Za-z-]+\\)[ \t]*:" 1 font-lock-variable-name-face)
    ("^;" . font-lock-comment-face))
  "What is coloured in the header of a ChatBuilder message.")

;; Markdown's mode is a package; where it is not there, text will do.
(defvar msgls--markdown-mode
  (if (or (fboundp 'markdown-mode) (require 'markdown-mode nil t)) 'markdown-mode 'text-mode)
  "The mode that message files are derived from.")

(defvar msgmd-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-m") #'msgls-run)
    (define-key map (kbd "C-c C-v") #'msgls-view)
    map)
  "Keys in message files.")

(defvar markdown-indent-on-enter)

(defun msgls--type-verbatim ()
  "Let this buffer hold what is typed: no indentation or trimming comes with a new line."
  (electric-indent-local-mode -1)
  (setq-local markdown-indent-on-enter nil))

;; `define-derived-mode' wants its parent as it is written, and ours is not known before.
(eval
 `(define-derived-mode msgmd-mode ,msgls--markdown-mode "msgmd"
    "Message files: conversations in cells of Markdown."
    (font-lock-add-keywords nil msgls--msgmd-keywords 'append)
    (msgls--type-verbatim)
    (setq-local beginning-of-defun-function #'msgls--beginning-of-cell
                end-of-defun-function #'msgls--end-of-cell
                outline-regexp "#\\{1,5\\}[ \t]+%%"
                comment-start "<!-- "
                comment-end " -->"
                imenu-generic-expression '((nil "^#\\{1,5\\}[ \t]+%%%?[ \t]*\\(.+\\)$" 1))))
 t)

(eval
 `(define-derived-mode chatbuilder-mode ,msgls--markdown-mode "ChatBuilder"
    "ChatBuilder messages: a header, and Markdown."
    (font-lock-add-keywords nil msgls--chatbuilder-keywords 'append)
    (msgls--type-verbatim))
 t)

(define-derived-mode stf-mode text-mode "STF"
  "The Simple Text Format."
  (msgls--type-verbatim)
  (setq-local font-lock-defaults '(msgls--stf-keywords t)
              comment-start "@# "))


(define-derived-mode msgjson-mode prog-mode "msgjson"
  "Messages, deltas and sessions as JSON."
  (msgls--type-verbatim)
  (setq-local font-lock-defaults '((("\"\\(?:\\\\.\\|[^\"\\]\\)*\"[ \t]*:" . font-lock-keyword-face)
                                    ("\"\\(?:\\\\.\\|[^\"\\]\\)*\"" . font-lock-string-face)
                                    ("\\_<\\(?:true\\|false\\|null\\)\\_>" . font-lock-constant-face))
                                   t)))

(defun msgls--beginning-of-cell (&optional count)
  "Go to the start of this cell, or COUNT cells back; with a negative COUNT, on."
  (let ((case-fold-search nil))
    (if (< (or count 1) 0)
        (progn (end-of-line) (when (re-search-forward msgls--marker nil t (- count))
                               (beginning-of-line) t))
      (when (re-search-backward msgls--marker nil t (or count 1))
        (beginning-of-line) t))))

(defun msgls--end-of-cell ()
  "Go to the end of the cell that starts here."
  (end-of-line)
  (if (re-search-forward msgls--marker nil t)
      (beginning-of-line)
    (goto-char (point-max))))

(defun msgls--section-p ()
  "Whether the frontmatter of this Markdown file names a section for messages."
  (save-excursion
    (goto-char (point-min))
    (and (looking-at "\ufeff?---[ \t]*$")
         (let ((end (save-excursion (forward-line 1)
                                    (re-search-forward "^\\(?:---\\|\\.\\.\\.\\)[ \t]*$" 65536 t))))
           (and end (re-search-forward "^message_section[ \t]*:" end t) t)))))

(defun msgls--chatbuilder-p ()
  "Whether this file is called by a number and starts like a ChatBuilder message."
  (and buffer-file-name
       (string-match-p "\\`[0-9]+\\.md\\'" (file-name-nondirectory buffer-file-name))
       (not (string-match-p "/trees/" buffer-file-name))
       (save-excursion (goto-char (point-min)) (eq (char-after) ?\;))))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.msg\\.md\\'" . msgmd-mode))
  (add-to-list 'auto-mode-alist '("\\.stf\\'" . stf-mode))
  (add-to-list 'auto-mode-alist
               '("\\.\\(?:messages\\.jsonl?\\|\\(?:deltas\\|session\\)\\.jsonl\\)\\'" . msgjson-mode)))

;; Looked at before names: what a *.md is, its first lines say.
(add-to-list 'magic-mode-alist
             (cons (lambda ()
                     (and buffer-file-name
                          (string-suffix-p ".md" buffer-file-name)
                          (msgls--section-p)))
                   'msgmd-mode))
(add-to-list 'magic-mode-alist (cons #'msgls--chatbuilder-p 'chatbuilder-mode))

(defconst msgls-modes '(msgmd-mode stf-mode chatbuilder-mode msgjson-mode)
  "The modes that the server is for.")

(with-eval-after-load 'eglot
  (dolist (mode msgls-modes)
    ;; Asked for anew, so that `msgls-command' may be set at any time.
    (add-to-list 'eglot-server-programs
                 (cons mode (lambda (&rest _) (cons 'msgls-server msgls-command))))
    (put mode 'eglot-language-id (string-remove-suffix "-mode" (symbol-name mode))))
  ;; Evaluated, because what it derives from is not there before.
  (eval
   '(progn
      (defclass msgls-server (eglot-lsp-server) () "The language server msgls.")
      (cl-defmethod eglot-initialization-options ((_server msgls-server))
        "Say that we know what `live' means in an edit."
        '(:takesLive t))
      (cl-defmethod eglot-handle-request
        ((server msgls-server) (method (eql workspace/applyEdit)) &key label edit live)
        "Make an edit; those of an answer that comes ask nobody, and are one step of undo."
        (let ((make (lambda () (cl-call-next-method server method :label label :edit edit))))
          (if live (msgls--apply-live edit (plist-get live :token) make) (funcall make)))))
   t))

(defvar-local msgls--written nil
  "Who wrote last into this buffer, of what is written bit by bit, and its modification then.")

(defun msgls--apply-live (edit token make)
  "Call MAKE, which makes EDIT, a part of what is written under TOKEN.
As long as nobody edits in between, one undo takes all of it."
  (let* ((document (plist-get (elt (plist-get edit :documentChanges) 0) :textDocument))
         (uri (plist-get document :uri))
         (path (if (fboundp 'eglot-uri-to-path) (eglot-uri-to-path uri) (eglot--uri-to-path uri)))
         ;; Whoever asked wants the answer; newer and older versions ask otherwise.
         (eglot-confirm-server-edits nil)
         (eglot-confirm-server-initiated-edits nil)
         (inhibit-message t))
    (with-current-buffer (or (find-buffer-visiting path) (jsonrpc-error "No buffer for %s" path))
      (if (equal msgls--written (cons token (buffer-chars-modified-tick)))
          (when (and (consp buffer-undo-list) (null (car buffer-undo-list)))
            (pop buffer-undo-list))
        (undo-boundary))
      ;; What was typed a moment ago is told first: an edit for the version before it is refused.
      (eglot--signal-textDocument/didChange)
      (condition-case problem
          (prog1 (funcall make)
            (setq msgls--written (cons token (buffer-chars-modified-tick)))
            (eglot--signal-textDocument/didChange))
        ;; Nothing is wrong: it comes again for this version.
        (error (list :applied :json-false :failureReason (error-message-string problem)))))))

(defun msgls-commands ()
  "The commands that the server of this buffer has."
  (require 'eglot)
  (append (plist-get (eglot--server-capable :executeCommandProvider) :commands) nil))

(defun msgls-run (command)
  "Let the server run COMMAND, such as `msgls.cell.split', at point."
  (interactive (list (completing-read "Command: " (msgls-commands) nil t "msgls.")))
  (let ((server (eglot-current-server))
        ;; Who asks for a command wants what it changes; newer and older versions ask otherwise.
        (eglot-confirm-server-edits nil)
        (eglot-confirm-server-initiated-edits nil))
    (unless server
      (user-error "No msgls runs in this buffer: M-x eglot"))
    (jsonrpc-request server :workspace/executeCommand
                     (list :command command
                           :arguments
                           (vector (append (eglot--TextDocumentIdentifier)
                                           (list :position (eglot--pos-to-lsp-position))))))))

;; -- What the model sees ------------------------------------------------------------------------

(defvar-local msgls--view nil "The buffer that shows what the model sees of this one.")
(defvar-local msgls--view-timer nil "Refreshes the view once nothing is typed.")

(defun msgls-view ()
  "Show what the model sees of this buffer in a window beside it, and follow the typing."
  (interactive)
  (unless (eglot-current-server)
    (user-error "No msgls runs in this buffer: M-x eglot"))
  (unless (buffer-live-p msgls--view)
    (setq msgls--view (generate-new-buffer (format "*What the model sees: %s*" (buffer-name))))
    (with-current-buffer msgls--view
      (funcall msgls--markdown-mode)
      (setq buffer-read-only t)))
  (add-hook 'after-change-functions #'msgls--refresh-view-soon nil t)
  (msgls--refresh-view (current-buffer))
  (display-buffer msgls--view '(display-buffer-in-direction (direction . right))))

(defun msgls--refresh-view-soon (&rest _)
  "Refresh the view of this buffer once nothing is typed."
  (when (timerp msgls--view-timer)
    (cancel-timer msgls--view-timer))
  (setq msgls--view-timer
        (run-with-idle-timer 0.3 nil #'msgls--refresh-view (current-buffer))))

(defun msgls--refresh-view (source)
  "Ask the server what the model sees of the buffer SOURCE, and show it."
  (when (and (buffer-live-p source) (buffer-live-p (buffer-local-value 'msgls--view source)))
    (with-current-buffer source
      (when-let ((server (eglot-current-server))
                 (view msgls--view))
        (eglot--signal-textDocument/didChange)
        (jsonrpc-async-request
         server :workspace/textDocumentContent
         (list :uri (concat "msgls-view:/view.md?"
                            (url-hexify-string
                             (plist-get (eglot--TextDocumentIdentifier) :uri))))
         :success-fn
         (lambda (answer)
           (when (buffer-live-p view)
             (with-current-buffer view
               (let ((inhibit-read-only t) (place (point)))
                 (erase-buffer)
                 (insert (plist-get answer :text))
                 (goto-char (min place (point-max))))))))))))

(provide 'msgls)

;;; msgls.el ends here
