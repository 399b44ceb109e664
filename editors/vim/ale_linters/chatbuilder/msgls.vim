call msgls#ale#Define('chatbuilder')
